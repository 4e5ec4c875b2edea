import { expect, test } from 'vitest'
import { onOneLine, splitStatements } from '../../../src/cli/prompt/statements.js'

test.each([
  ['select 1', [], 'select 1'],
  ['select 1;', ['select 1'], ''],
  ['select 1; select 2;', ['select 1', 'select 2'], ''],
  ['select 1; select', ['select 1'], 'select'],
  [';;', [], ''],
  ["select ';'; x", ["select ';'"], 'x'],
  ["select 'it''s;'", [], "select 'it''s;'"],
  ["select 'open; ", [], "select 'open; "],
  ['select "a;b";', ['select "a;b"'], ''],
  ['select 1 -- no; end', [], 'select 1 -- no; end'],
  ['select 1 -- no; end\n;', ['select 1 -- no; end'], ''],
  ['select /* a; /* b; */ c; */ 1;', ['select /* a; /* b; */ c; */ 1'], ''],
  ['select /* open;', [], 'select /* open;'],
  ['select $$a;b$$;', ['select $$a;b$$'], ''],
  ['select $x$a;$$;b$x$;', ['select $x$a;$$;b$x$'], ''],
  [String.raw`select E'a\';b';`, [String.raw`select E'a\';b'`], ''],
  ['-- only a comment\n', [], ''],
  ['-- a comment;\nselect 1;', ['-- a comment;\nselect 1'], ''],
  ['select 5 - -3;', ['select 5 - -3'], ''],
])('%j is the statements %j and the rest %j', (text, statements, rest) =>
  expect(splitStatements(text)).toEqual({ statements, rest }),
)

test.each([
  ['select 1', 'select 1'],
  ['select\n  1 -- one\n  , 2', 'select 1 , 2'],
  ['select /* x\n y */ 1', 'select 1'],
  ["select 'a  -- b'", "select 'a  -- b'"],
  ["select 'a\nb'", undefined],
  ['-- nothing', ''],
])('%j is %j on one line', (statement, line) => expect(onOneLine(statement)).toBe(line))
