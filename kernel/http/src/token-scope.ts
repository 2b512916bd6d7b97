import type { Gateway } from '@gateway/kernel'
import { type Capability, Forbidden, LOCAL_TENANT, type Principal, type ToolError, tokenCheck } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'

const ASKER: Principal = { id: 'challenge', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

/** Returns the parameters of the Bearer challenge that lead a client to OAuth; `undefined` while it is off. */
export function oauthChallenge(gateway: Gateway, url: string, scopes?: readonly Capability[]): string | undefined {
  const path = url.split('?', 1)[0] as string
  for (const check of gateway.collect(tokenCheck, ASKER)) {
    const challenge = check.challenge?.(path, scopes)
    if (challenge !== undefined) return challenge
  }
  return undefined
}

/**
 * Refuses a call that the token's scopes do not cover before it begins, with the challenge of a step-up: the scopes that the token
 * has, and the one that the call needs. Calls that reach the kernel otherwise are refused there.
 */
export function stepUp(gateway: Gateway) {
  const { tools, routes } = gateway.inventory
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: ToolError) => void): void => {
    const scopes = (request.principal as Principal | undefined)?.scopes
    const name = scopes && operationOf(request)
    const needed = name === undefined ? undefined : (tools.get(name) ?? routes.get(name))?.item.capability
    if (scopes === undefined || needed === undefined || scopes.includes(needed)) return done()
    const challenge = oauthChallenge(gateway, request.raw.url ?? '', [...scopes, needed])
    reply.header('www-authenticate', `Bearer realm="gateway", error="insufficient_scope"${challenge === undefined ? '' : `, ${challenge}`}`)
    done(Forbidden({ message: `${name} needs the scope ${needed}, which the token lacks.` }))
  }
}

function operationOf({ routeOptions, params, body }: FastifyRequest): string | undefined {
  const { operation } = routeOptions.config
  if (operation !== undefined) return operation
  if (routeOptions.url === '/api/tools/:name') return (params as { name: string }).name
  const { method, params: args } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && typeof args?.name === 'string' ? args.name : undefined
}
