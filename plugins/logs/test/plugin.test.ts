import { pluginSuite } from '@gateway/testing'
import logs from '../src/index.ts'

pluginSuite(logs, { folder: import.meta.dirname })
