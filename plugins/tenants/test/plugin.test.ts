import { pluginSuite } from '@gateway/sdk/testing'
import tenants from '../src/index.ts'

pluginSuite(tenants, { folder: import.meta.dirname })
