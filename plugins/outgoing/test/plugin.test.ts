import { pluginSuite } from '@gateway/testing'
import outgoing from '../src/index.ts'

pluginSuite(outgoing, { folder: import.meta.dirname })
