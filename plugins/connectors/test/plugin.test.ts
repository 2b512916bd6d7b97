import { pluginSuite } from '@gateway/testing'
import connectors from '../src/index.ts'

pluginSuite(connectors, { folder: import.meta.dirname })
