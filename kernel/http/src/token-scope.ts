import { capabilityFor, type Gateway } from '@gateway/kernel'
import { type Capability, Forbidden, LOCAL_TENANT, type Principal, type ToolError, tokenCheck } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { opensStream } from './confined.ts'

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

const MCP = /^\/(?:(?:core\/)?mcp|sse)(?:\/|$)/

/**
 * Refuses a request that the token's scopes do not cover before it begins, with the challenge of a step-up: the scopes that the token
 * has, and the one that is needed. No scope covers the operator's own operations, so that their refusal has no challenge. Calls that
 * reach the kernel otherwise are refused there.
 */
export function stepUp(gateway: Gateway) {
  const { tools, routes } = gateway.inventory

  /** The capability that a request needs, and the name of what needs it. */
  function needOf(
    request: FastifyRequest,
    { tenantId }: Principal,
  ): { readonly name: string; readonly needed: Capability | undefined } | undefined {
    const { routeOptions, params, body } = request
    const { url = '', config } = routeOptions
    const name = config.operation ?? (url === '/api/tools/:name' ? (params as { name: string }).name : calledBy(body))
    if (name !== undefined) {
      const operation = (tools.get(name) ?? routes.get(name))?.item
      return { name, needed: operation && capabilityFor(operation, tenantId) }
    }
    const isOpen = MCP.test(url) ? !opensStream(body) : url === '' || url === '/api/tools'
    return isOpen ? undefined : { name: url, needed: 'read' }
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: ToolError) => void): void => {
    const principal = request.principal as Principal | undefined
    const scopes = principal?.scopes
    if (scopes === undefined) return done()
    const { name, needed } = needOf(request, principal as Principal) ?? {}
    if (needed === undefined || scopes.includes(needed)) return done()
    if (needed === 'operator') return done(Forbidden({ message: `${name} is the operator's, and no token covers it.` }))
    const challenge = oauthChallenge(gateway, request.raw.url ?? '', [...scopes, needed])
    reply.header('www-authenticate', `Bearer realm="gateway", error="insufficient_scope"${challenge === undefined ? '' : `, ${challenge}`}`)
    done(Forbidden({ message: `${name} needs the scope ${needed}, which the token lacks.` }))
  }
}

/** The tool that a message of MCP calls. */
function calledBy(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined
}
