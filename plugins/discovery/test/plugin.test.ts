import { pluginSuite } from '@gateway/sdk/testing'
import discovery from '../src/index.ts'

pluginSuite(discovery, { folder: import.meta.dirname })
