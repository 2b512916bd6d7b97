import { pluginSuite } from '@gateway/testing'
import modelEndpoint from '../src/index.ts'

pluginSuite(modelEndpoint, { folder: import.meta.dirname })
