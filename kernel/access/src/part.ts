import type { KernelPart } from '@gateway/kernel'
import { apiKeys, hashKeys } from './collections.ts'
import { localTokens } from './local-token.ts'

export const accessPart: KernelPart = { records: [apiKeys, hashKeys, localTokens] }
