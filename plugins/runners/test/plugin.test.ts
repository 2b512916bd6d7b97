import { pluginSuite } from '@gateway/sdk/testing'
import runners from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(runners, { folder: import.meta.dirname, with: needed })
