import { escaped } from './cells.js'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** The small files of a workbook with one sheet (ECMA-376, part 1), by their name in the archive. */
export function smallParts(sheet: string, filter: string): ReadonlyMap<string, string> {
  return new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/workbook.xml', workbook(sheet, filter)],
    ['xl/styles.xml', styles()],
  ])
}

/** Excel finds the cells of a filter by this hidden name. */
function workbook(sheet: string, filter: string): string {
  const name = escaped(sheet)
  const cells = filter.replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2')
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name.replaceAll("'", "''")}'!${cells}</definedName></definedNames></workbook>`
}

/** Cell formats, in the order of `FORMAT`. 3, 49: formats that Excel has; the others are named here. */
function styles(): string {
  const formats = [
    '<xf/>',
    '<xf fontId="1" applyFont="1"/>',
    '<xf numFmtId="3" applyNumberFormat="1"/>',
    '<xf numFmtId="164" applyNumberFormat="1"/>',
    '<xf numFmtId="165" applyNumberFormat="1"/>',
    '<xf numFmtId="166" applyNumberFormat="1"/>',
    '<xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/>',
  ].map((xf) =>
    xf.replace('<xf', `<xf xfId="0" borderId="0" fillId="0"${xf.includes('fontId') ? '' : ' fontId="0"'}`),
  )
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.0#####"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

/** The beginning of the sheet: the header row stays in place, and columns are as wide as given, in characters. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>`
}

export function sheetEnd(filter: string): string {
  return `</sheetData><autoFilter ref="${filter}"/></worksheet>`
}
