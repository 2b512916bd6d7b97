import type { KernelPart } from '@gateway/kernel'
import { auditEnds } from './ends.ts'

export const auditPart: KernelPart = { records: [auditEnds] }
