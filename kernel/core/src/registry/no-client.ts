import { type Client, InputUnavailable } from '@gateway/sdk'

/** The client behind REST, jobs and events: it can do nothing. */
export const noClient: Client = {
  can: () => false,
  ask: (requests) => Promise.reject(InputUnavailable({ ability: Object.values(requests)[0]?.needs ?? 'elicitation' })),
  log() {},
  async detach(options) {
    if (options?.required) throw InputUnavailable({ ability: 'tasks' })
  },
}
