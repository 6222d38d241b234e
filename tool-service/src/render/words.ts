import type { CommentProblem } from './render-comment-form.ts';

/** The few words that the theme itself says. */
export type Words = {
  skip: string;
  menu: string;
  languages: string;
  notice: string;
  footer: string;
  breadcrumbs: string;
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
  comments: string;
  writeComment: string;
  commentGone: string;
  commentAuthor: string;
  commentText: string;
  /** For a field that only programs fill in. */
  commentTrap: string;
  commentNote: string;
  commentSend: string;
  commentThanks: string;
  commentProblem: Record<CommentProblem, string>;
};

const english: Words = {
  skip: 'Skip to content',
  menu: 'Menu',
  languages: 'Languages',
  notice: 'Notice',
  footer: 'Footer',
  breadcrumbs: 'You are here',
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
  comments: 'Comments',
  writeComment: 'Write a comment',
  commentGone: 'This comment was removed.',
  commentAuthor: 'Name',
  commentText: 'Comment',
  commentTrap: 'Leave this empty',
  commentNote: 'Your comment appears once a person has read and approved it. Your name is shown with it.',
  commentSend: 'Send',
  commentThanks: 'Thank you',
  commentProblem: {
    empty: 'Please give a name and write something.',
    long: 'That is too long. Please shorten it.',
    quick: 'That was fast. Please send it once more.',
    expired: 'The form was open for long. Please send it once more.',
    full: 'No more comments are taken here at the moment. Please come back later.',
  },
};

const byLanguage: Record<string, Words> = {
  en: english,
  de: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    languages: 'Sprachen',
    notice: 'Hinweis',
    footer: 'Fußzeile',
    breadcrumbs: 'Sie sind hier',
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
    comments: 'Kommentare',
    writeComment: 'Einen Kommentar schreiben',
    commentGone: 'Dieser Kommentar wurde entfernt.',
    commentAuthor: 'Name',
    commentText: 'Kommentar',
    commentTrap: 'Bitte leer lassen',
    commentNote: 'Ihr Kommentar erscheint, sobald ihn ein Mensch gelesen und freigegeben hat. Ihr Name steht dabei.',
    commentSend: 'Absenden',
    commentThanks: 'Vielen Dank',
    commentProblem: {
      empty: 'Bitte nennen Sie einen Namen und schreiben Sie etwas.',
      long: 'Das ist zu lang. Bitte kürzen Sie es.',
      quick: 'Das ging schnell. Bitte senden Sie es noch einmal.',
      expired: 'Das Formular war lange offen. Bitte senden Sie es noch einmal.',
      full: 'Im Moment werden hier keine weiteren Kommentare angenommen. Bitte kommen Sie später wieder.',
    },
  },
  fr: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    languages: 'Langues',
    notice: 'Avis',
    footer: 'Pied de page',
    breadcrumbs: 'Vous êtes ici',
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
    comments: 'Commentaires',
    writeComment: 'Écrire un commentaire',
    commentGone: 'Ce commentaire a été retiré.',
    commentAuthor: 'Nom',
    commentText: 'Commentaire',
    commentTrap: 'Laissez ce champ vide',
    commentNote: "Votre commentaire apparaîtra, avec votre nom, dès qu'une personne l'aura lu et approuvé.",
    commentSend: 'Envoyer',
    commentThanks: 'Merci',
    commentProblem: {
      empty: 'Indiquez un nom et écrivez quelque chose.',
      long: "C'est trop long. Raccourcissez votre texte.",
      quick: "C'était rapide. Envoyez-le encore une fois.",
      expired: 'Le formulaire est resté ouvert longtemps. Envoyez-le encore une fois.',
      full: 'Les commentaires ne sont plus acceptés ici pour le moment. Revenez plus tard.',
    },
  },
  es: {
    skip: 'Saltar al contenido',
    menu: 'Menú',
    languages: 'Idiomas',
    notice: 'Aviso',
    footer: 'Pie de página',
    breadcrumbs: 'Está aquí',
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
    comments: 'Comentarios',
    writeComment: 'Escribir un comentario',
    commentGone: 'Este comentario fue retirado.',
    commentAuthor: 'Nombre',
    commentText: 'Comentario',
    commentTrap: 'Deje este campo vacío',
    commentNote: 'Su comentario aparecerá, con su nombre, cuando una persona lo haya leído y aprobado.',
    commentSend: 'Enviar',
    commentThanks: 'Gracias',
    commentProblem: {
      empty: 'Indique un nombre y escriba algo.',
      long: 'Es demasiado largo. Acórtelo, por favor.',
      quick: 'Ha sido muy rápido. Envíelo otra vez, por favor.',
      expired: 'El formulario estuvo abierto mucho tiempo. Envíelo otra vez, por favor.',
      full: 'Por ahora no se aceptan más comentarios aquí. Vuelva más tarde.',
    },
  },
  pt: {
    skip: 'Ir para o conteúdo',
    menu: 'Menu',
    languages: 'Idiomas',
    notice: 'Aviso',
    footer: 'Rodapé',
    breadcrumbs: 'Está aqui',
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
    comments: 'Comentários',
    writeComment: 'Escrever um comentário',
    commentGone: 'Este comentário foi retirado.',
    commentAuthor: 'Nome',
    commentText: 'Comentário',
    commentTrap: 'Deixe este campo vazio',
    commentNote: 'O seu comentário aparece, com o seu nome, quando uma pessoa o tiver lido e aprovado.',
    commentSend: 'Enviar',
    commentThanks: 'Obrigado',
    commentProblem: {
      empty: 'Indique um nome e escreva algo.',
      long: 'É demasiado longo. Encurte-o, por favor.',
      quick: 'Foi muito rápido. Envie mais uma vez, por favor.',
      expired: 'O formulário esteve aberto muito tempo. Envie mais uma vez, por favor.',
      full: 'De momento não se aceitam mais comentários aqui. Volte mais tarde.',
    },
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
