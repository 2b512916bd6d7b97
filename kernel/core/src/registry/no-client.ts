import { type Client, InputUnavailable } from '@gateway/sdk'

/** The client of REST calls, jobs and events, which cannot answer questions. */
export const noClient: Client = {
  can: () => false,
  ask: (requests) => Promise.reject(InputUnavailable({ ability: Object.values(requests)[0]?.needs ?? 'elicitation' })),
  log() {},
  async detach(options) {
    if (options?.required) throw InputUnavailable({ ability: 'tasks' })
  },
}
