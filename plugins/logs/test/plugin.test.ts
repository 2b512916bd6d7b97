import { pluginSuite } from '@gateway/sdk/testing'
import logs from '../src/index.ts'

pluginSuite(logs, { folder: import.meta.dirname })
