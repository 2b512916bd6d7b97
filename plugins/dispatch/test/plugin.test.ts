import { pluginSuite } from '@gateway/testing'
import dispatch from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(dispatch, { folder: import.meta.dirname, with: needed })
