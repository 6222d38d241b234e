/** The few words that the theme itself says. */
export type Words = {
  skip: string;
  menu: string;
  home: string;
  newer: string;
  older: string;
  pages: string;
  more: string;
  empty: string;
  notFoundTitle: string;
  notFoundText: string;
  backHome: string;
  table: string;
  code: string;
  yes: string;
  no: string;
  corrections: string;
  correction: string;
  clarification: string;
  update: string;
  retraction: string;
};

const english: Words = {
  skip: 'Skip to content',
  menu: 'Menu',
  home: 'Home',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages',
  more: 'More to read',
  empty: 'Nothing has been published here yet.',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is nothing at this address. It may have been moved or taken down.',
  backHome: 'Go to the home page',
  table: 'Table',
  code: 'Code',
  yes: 'Yes',
  no: 'No',
  corrections: 'Corrections',
  correction: 'Correction',
  clarification: 'Clarification',
  update: 'Update',
  retraction: 'Retracted',
};

const byLanguage: Record<string, Words> = {
  en: english,
  de: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    home: 'Startseite',
    newer: 'Neuere',
    older: 'Ältere',
    pages: 'Seiten',
    more: 'Mehr zum Lesen',
    empty: 'Hier wurde noch nichts veröffentlicht.',
    notFoundTitle: 'Seite nicht gefunden',
    notFoundText: 'Unter dieser Adresse gibt es nichts. Vielleicht wurde die Seite verschoben oder entfernt.',
    backHome: 'Zur Startseite',
    table: 'Tabelle',
    code: 'Code',
    yes: 'Ja',
    no: 'Nein',
    corrections: 'Korrekturen',
    correction: 'Korrektur',
    clarification: 'Klarstellung',
    update: 'Aktualisierung',
    retraction: 'Zurückgezogen',
  },
  fr: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    home: 'Accueil',
    newer: 'Plus récents',
    older: 'Plus anciens',
    pages: 'Pages',
    more: 'À lire aussi',
    empty: "Rien n'a encore été publié ici.",
    notFoundTitle: 'Page introuvable',
    notFoundText: "Il n'y a rien à cette adresse. La page a peut-être été déplacée ou retirée.",
    backHome: "Aller à la page d'accueil",
    table: 'Tableau',
    code: 'Code',
    yes: 'Oui',
    no: 'Non',
    corrections: 'Corrections',
    correction: 'Correction',
    clarification: 'Précision',
    update: 'Mise à jour',
    retraction: 'Article retiré',
  },
  es: {
    skip: 'Saltar al contenido',
    menu: 'Menú',
    home: 'Inicio',
    newer: 'Más recientes',
    older: 'Más antiguos',
    pages: 'Páginas',
    more: 'Más para leer',
    empty: 'Aquí todavía no se ha publicado nada.',
    notFoundTitle: 'Página no encontrada',
    notFoundText: 'No hay nada en esta dirección. Puede que la página se haya movido o retirado.',
    backHome: 'Ir a la página de inicio',
    table: 'Tabla',
    code: 'Código',
    yes: 'Sí',
    no: 'No',
    corrections: 'Correcciones',
    correction: 'Corrección',
    clarification: 'Aclaración',
    update: 'Actualización',
    retraction: 'Retractado',
  },
  pt: {
    skip: 'Ir para o conteúdo',
    menu: 'Menu',
    home: 'Início',
    newer: 'Mais recentes',
    older: 'Mais antigos',
    pages: 'Páginas',
    more: 'Mais para ler',
    empty: 'Ainda não há nada publicado aqui.',
    notFoundTitle: 'Página não encontrada',
    notFoundText: 'Não há nada neste endereço. A página pode ter sido movida ou retirada.',
    backHome: 'Ir para a página inicial',
    table: 'Tabela',
    code: 'Código',
    yes: 'Sim',
    no: 'Não',
    corrections: 'Correções',
    correction: 'Correção',
    clarification: 'Esclarecimento',
    update: 'Atualização',
    retraction: 'Retratação',
  },
};

/** The theme's words in a locale's language, or in English. */
export function wordsFor(locale: string): Words {
  return byLanguage[locale.split('-')[0]!] ?? english;
}

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0]!) ? 'rtl' : 'ltr';
}

/** `2026-03-04` as people of the locale write it; anything else as it is. */
export function longDate(date: string, locale: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(time)) return date;
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  } catch {
    return date;
  }
}
