import { pluginSuite } from '@gateway/testing'
import leases from '../src/index.ts'

pluginSuite(leases, { folder: import.meta.dirname })
