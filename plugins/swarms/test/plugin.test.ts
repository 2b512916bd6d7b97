import { pluginSuite } from '@gateway/sdk/testing'
import swarms from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(swarms, { folder: import.meta.dirname, with: needed })
