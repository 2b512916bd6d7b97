import { pluginSuite } from '@gateway/sdk/testing'
import traces from '../src/index.ts'

pluginSuite(traces, { folder: import.meta.dirname })
