import { pluginSuite } from '@gateway/testing'
import repos from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(repos, { folder: import.meta.dirname, with: needed })
