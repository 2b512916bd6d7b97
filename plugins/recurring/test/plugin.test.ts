import { pluginSuite } from '@gateway/testing'
import recurring from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(recurring, { folder: import.meta.dirname, with: needed })
