import { pluginSuite } from '@gateway/sdk/testing'
import leases from '../src/index.ts'

pluginSuite(leases, { folder: import.meta.dirname })
