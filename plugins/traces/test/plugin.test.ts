import { pluginSuite } from '@gateway/testing'
import traces from '../src/index.ts'

pluginSuite(traces, { folder: import.meta.dirname })
