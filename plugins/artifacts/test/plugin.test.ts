import { pluginSuite } from '@gateway/sdk/testing'
import artifacts from '../src/index.ts'

pluginSuite(artifacts, { folder: import.meta.dirname })
