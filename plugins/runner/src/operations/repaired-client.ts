import type { ServiceClient } from '@gateway/sdk'

/** Half of a pair of code units, which is not text: cutting a long text can leave one, and programs print them. */
const HALVES = /\p{Surrogate}/gu

/**
 * A client whose arguments are repaired before they are sent: the gateway refuses a call with half of a surrogate pair, and a task would
 * then never hear how its run ended.
 */
export function repairing(client: ServiceClient): ServiceClient {
  return {
    url: client.url,
    get: (path) => client.get(path),
    post: (path, body, key) => client.post(path, repaired(body), key),
    put: (path, body) => client.put(path, repaired(body)),
    patch: (path, body) => client.patch(path, repaired(body)),
    delete: (path) => client.delete(path),
    within: (ms) => repairing(client.within(ms)),
    call: (tool, args = {}, key) => client.call(tool, repaired(args), key),
  }
}

const repaired = (body: object): object =>
  JSON.parse(JSON.stringify(body), (_name, value: unknown) => (typeof value === 'string' ? value.replaceAll(HALVES, '\uFFFD') : value))
