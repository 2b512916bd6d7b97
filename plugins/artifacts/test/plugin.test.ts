import { pluginSuite } from '@gateway/testing'
import artifacts from '../src/index.ts'

pluginSuite(artifacts, { folder: import.meta.dirname })
