import { repoResolver } from '@gateway/plugin-repos/api'
import { atomically, optional } from '@gateway/sdk'
import { sessionKeeper } from '../api.ts'
import { sessions } from '../collections.ts'
import { config } from '../config.ts'

export const hostUses = { sessions, keepers: sessionKeeper, resolver: optional(repoResolver), config, atomically }
