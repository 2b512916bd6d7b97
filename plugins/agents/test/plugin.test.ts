import { pluginSuite } from '@gateway/testing'
import agents from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(agents, { folder: import.meta.dirname, with: needed })
