import type { KernelPart } from '@gateway/kernel'
import { jobRecords } from './job-record.ts'

export const jobsPart: KernelPart = { records: [jobRecords] }
