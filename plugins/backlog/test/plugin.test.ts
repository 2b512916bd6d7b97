import { pluginSuite } from '@gateway/sdk/testing'
import backlog from '../src/index.ts'

pluginSuite(backlog, { folder: import.meta.dirname })
