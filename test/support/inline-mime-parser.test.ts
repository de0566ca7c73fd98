import { mimeParserSuite } from '../runtime/suites/mime-parser.ts'
import { inlineMimeParser } from './inline-mime-parser.ts'

mimeParserSuite('the parser in process', (body) => body(inlineMimeParser))
