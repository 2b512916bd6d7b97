import { contribute, credentialCheck } from '@gateway/sdk'
import { REMOTE, remotes } from '../collections.ts'
import { fetchPack } from '../routes/fetch.ts'
import { pushPack } from '../routes/push.ts'
import { showRefs } from '../routes/refs.ts'
import { isTokenOf } from '../rules/tokens.ts'

export const tokenCheck = contribute(credentialCheck, {
  uses: { remotes },
  create: ({ remotes }) => ({
    routes: [showRefs.name, fetchPack.name, pushPack.name],
    async check(token) {
      const remote = await remotes.get(REMOTE)
      return remote && isTokenOf(token, remote.tokenHashes) ? { id: 'git', role: 'member' as const } : undefined
    },
  }),
})
