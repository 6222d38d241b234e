/** The families that a site may use: fonts that readers' devices have, so that a page asks for nothing from anywhere. */
export const fonts = {
  'old-style':
    "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,Charter,Georgia,'Noto Serif',serif",
  transitional: "Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,'Noto Serif',serif",
  slab: "Rockwell,'Rockwell Nova','Roboto Slab','DejaVu Serif','Sitka Small','Noto Serif',serif",
  humanist: "'Avenir Next','Segoe UI','Helvetica Neue',system-ui,'Noto Sans',Arial,sans-serif",
  grotesque: "Inter,Roboto,'Helvetica Neue','Arial Nova','Nimbus Sans','Noto Sans',Arial,sans-serif",
  system: "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif",
  rounded: "ui-rounded,'Hiragino Maru Gothic ProN',Quicksand,Comfortaa,'Arial Rounded MT Bold','Noto Sans',sans-serif",
  mono: "ui-monospace,'SF Mono','Cascadia Code',Menlo,Consolas,'Liberation Mono',monospace",
} as const;

export type FontName = keyof typeof fonts;
