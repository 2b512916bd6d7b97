import { pluginSuite } from '@gateway/testing'
import discovery from '../src/index.ts'

pluginSuite(discovery, { folder: import.meta.dirname })
