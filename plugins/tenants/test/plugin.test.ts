import { pluginSuite } from '@gateway/testing'
import tenants from '../src/index.ts'

pluginSuite(tenants, { folder: import.meta.dirname })
