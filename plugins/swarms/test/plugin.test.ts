import { pluginSuite } from '@gateway/testing'
import swarms from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(swarms, { folder: import.meta.dirname, with: needed })
