import { BootError, blame, type Gateway } from '@gateway/kernel'
import type { PublicFile, PublicFiles } from '@gateway/sdk'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { DefaultPages } from './default-pages.ts'
import { RouteNotFound } from './errors.ts'
import { pathOf } from './guard.ts'
import { sendError } from './reply.ts'

const YEAR = 'public, max-age=31536000, immutable'

interface Parts extends Pick<Gateway, 'inventory'> {
  readonly defaults: DefaultPages
}

/**
 * Files of plugins that need no credential. They are registered last, so that they cannot take a path of the gateway, except of a
 * default page that they replace.
 */
export const publicFiles: FastifyPluginAsync<Parts> = async (app, { inventory, defaults }) => {
  for (const plugin of inventory.plugins) {
    for (const files of plugin.publicFiles ?? []) {
      for (const url of files.paths) {
        const fault = defaults.faultOf(files, url)
        if (fault) throw new BootError([blame(plugin.id, 'wire', fault)])
        try {
          app.get(url, { config: { credential: 'none' } }, (request, reply) => answer(files, request, reply))
        } catch (error) {
          throw new BootError([blame(plugin.id, 'wire', `${files.id} cannot be served at ${url}: ${(error as Error).message}`)])
        }
      }
    }
  }
}

async function answer(files: PublicFiles, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('vary', files.htmlOnly ? 'accept, accept-encoding' : 'accept-encoding')
  const path = decoded(pathOf(request.url))
  const wanted = !files.htmlOnly || /\btext\/html\b/i.test(request.headers.accept ?? '')
  const file = wanted && path !== undefined ? await files.open(path) : undefined
  if (file === undefined) return sendError(reply, RouteNotFound({ method: request.method, path: pathOf(request.url).slice(0, 200) }))
  reply.headers({ 'content-type': file.type, ...file.headers })
  if (file.immutable) reply.header('cache-control', YEAR)
  else reply.header('cache-control', 'no-cache')
  const [encoding, body] = encoded(file, request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

/** Chooses the best prepared encoding by the gateway's preference. A weight of zero refuses one. */
function encoded({ br, gzip, body }: PublicFile, accepted: string | string[] | undefined): [encoding: string | undefined, body: Buffer] {
  const takes = (name: string): boolean =>
    new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))(?:[;,\\s]|$)`, 'i').test(String(accepted ?? ''))
  if (br && takes('br')) return ['br', br]
  if (gzip && takes('gzip')) return ['gzip', gzip]
  return [undefined, body]
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
