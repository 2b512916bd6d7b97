import { pluginSuite } from '@gateway/sdk/testing'
import connectors from '../src/index.ts'

pluginSuite(connectors, { folder: import.meta.dirname })
