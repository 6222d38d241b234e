import { fonts } from '../design/fonts.ts';
import { type Design, designOf } from '../design/tokens.ts';

function variables(colors: Record<string, string>): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/** The tokens of a design as custom properties. Every value of them comes from a table or was read as what it is. */
function tokens({ scheme, light, dark, fonts: families, ...sizes }: Design): string {
  const { size, scale, leading, measure, unit, radius } = sizes;
  const first = scheme === 'dark' ? dark : light;
  const other = scheme === 'auto' ? `@media(prefers-color-scheme:dark){:root{${variables(dark)}}}` : '';
  return `:root{color-scheme:${scheme === 'auto' ? 'light dark' : scheme};${variables(first)};
--text:${fonts[families.text]};
--ui:${fonts[families.heading]};
--mono:${fonts[families.code]};
--size:${size};--scale:${scale};--leading:${leading};--measure:${measure}ch;--unit:${unit};--radius:${radius};--gap:clamp(1.25rem,5vw,2.5rem)}
${other}`;
}

// Where a cut image is looked at, see figure.ts.
const tenths = Array.from({ length: 11 }, (_, n) => n);
const focus = ['x', 'y'].flatMap((axis) => tenths.map((n) => `.f${axis}${n}{--f${axis}:${n * 10}%}`)).join('');

const styles = `
*,*::before,*::after{box-sizing:border-box}
html{font-size:calc(clamp(1.0625rem,1rem + .35vw,1.25rem)*var(--size));-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);
font-family:var(--text);line-height:var(--leading);overflow-wrap:anywhere;hanging-punctuation:first last}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}

a{color:var(--accent);text-decoration-thickness:.06em;text-underline-offset:.18em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:.16rem solid var(--accent);outline-offset:.2rem;border-radius:calc(.15rem*var(--radius))}
main:focus{outline:0}
::selection{background:var(--accent);color:var(--on-accent)}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;z-index:1;padding:.6rem 1rem;background:var(--accent);color:var(--on-accent);font-family:var(--ui);border-radius:0 0 .4rem .4rem}
.skip:focus{top:0}

.wide,main,.site-header,.site-footer{width:100%;max-width:72rem;margin-inline:auto;padding-inline:var(--gap)}
.site-header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 2rem;padding-block:1.4rem 1.2rem;font-family:var(--ui);border-bottom:1px solid var(--line)}
.site-name{font-weight:700;font-size:1.05rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none;padding-block:.3rem}
.site-name:hover{color:var(--accent)}
.site-header nav:first-of-type{margin-inline-start:auto}
.site-header ul{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:0;padding:0;list-style:none}
.site-tagline{font-size:.85rem;color:var(--soft);margin:0}
.banner{padding:.7rem var(--gap);background:var(--notice);color:var(--on-notice);font-family:var(--ui);font-size:.9rem;text-align:center}
.banner a{color:inherit;font-weight:600;margin-inline-start:.5em}
.site-header details{position:relative;margin:0}
.site-header summary{padding-block:.3rem;font-size:.9rem;font-weight:400;color:var(--soft)}
.site-header summary:hover{color:var(--accent)}
.site-header details ul{position:absolute;inset-inline-end:0;z-index:2;display:block;min-width:12rem;padding:.5rem 1rem;background:var(--raised);border:1px solid var(--line);border-radius:calc(.4rem*var(--radius))}
.site-header details details ul{position:static;padding:0 0 0 .75rem;border:0}
.site-header li a{display:inline-block;padding-block:.3rem;font-size:.9rem;color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}
.site-header li a:hover{color:var(--accent);border-color:currentColor}
.site-header .locales{margin-inline-start:auto}
.site-header .locales ul{gap:0 1rem}
.site-header .locales a{font-size:.8rem}
.locales [aria-current]{color:var(--ink);font-weight:600}
.site-header [aria-current=page]{color:var(--ink);border-color:var(--accent)}
main{flex:1;padding-block:calc(clamp(2rem,6vw,4.5rem)*var(--unit))}
.site-footer{padding-block:2rem 3rem;border-top:1px solid var(--line);font-family:var(--ui);font-size:.85rem;color:var(--soft)}
.site-footer p{margin:0 0 .75rem;white-space:pre-line}
.site-footer nav ul ul{display:block;margin:.25rem 0 0}
.site-footer nav>ul{align-items:flex-start;gap:1rem 2.5rem;margin:0 0 1.5rem}
.site-footer a{color:inherit}
.site-footer a:hover{color:var(--accent)}
.site-footer strong{color:var(--ink)}
.site-footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.75rem 0 0;padding:0;list-style:none}

.breadcrumbs{max-width:var(--measure);margin:0 auto 1.5rem}
.breadcrumbs:not(:has(+.column)){margin-inline:0}
.breadcrumbs ol{font-family:var(--ui);font-size:.85rem;display:flex;flex-wrap:wrap;gap:.25rem;margin:0;padding:0;list-style:none}
.breadcrumbs li+li::before{content:'/';margin-inline:.15em .4em;color:var(--soft)}
.breadcrumbs a{color:var(--soft)}
.column{max-width:var(--measure);margin-inline:auto}
h1,h2,h3,h4,h5,h6{font-family:var(--ui);font-weight:700;line-height:1.2;letter-spacing:-.015em;text-wrap:balance;margin:2.2em 0 .6em}
h1{font-size:calc(clamp(1.9rem,1.4rem + 2.2vw,2.75rem)*var(--scale));line-height:1.1;letter-spacing:-.028em;margin:0 0 .5em}
h2{font-size:calc(1.5rem*var(--scale))}h3{font-size:calc(1.2rem*var(--scale))}h4{font-size:1.05rem}h5,h6{font-size:.95rem;color:var(--soft)}
p,ul,ol,dl,blockquote,pre,figure,table,.scroll,details{margin:0 0 1.25em}
.lead{font-size:1.2rem;line-height:1.5;color:var(--soft);text-wrap:pretty}
.meta{font-family:var(--ui);font-size:.85rem;color:var(--soft);margin:0 0 1rem}
.meta>*+*::before{content:'·';margin-inline:.6em}
.entry-header{margin-bottom:clamp(2rem,5vw,3rem)}
.entry-header .lead{margin:0}

.prose>:last-child{margin-bottom:0}
.prose>:first-child{margin-top:0}
.prose ul,.prose ol{padding-inline-start:1.4em}
.prose li+li,.prose li>ul,.prose li>ol{margin-top:.35em}
.prose li>ul,.prose li>ol{margin-bottom:0}
.prose li>p{margin-bottom:.6em}
.prose ::marker{color:var(--soft);font-variant-numeric:tabular-nums}
.prose dt{font-weight:700}
.prose dd{margin:0 0 .6em 1.4em}
.prose img{display:block;max-width:100%;height:auto;border-radius:calc(.35rem*var(--radius));background:var(--raised)}
.image img,.facts img,.wide-image{display:block;max-width:100%;height:auto;border-radius:calc(.35rem*var(--radius));background:var(--raised)}
.image{margin-inline:0}
.wide-image,.thumbnail{object-fit:cover;object-position:var(--fx,50%) var(--fy,50%)}
.wide-image{width:100%;aspect-ratio:16/7;margin-bottom:1.5rem}
.thumbnail{float:inline-end;width:min(10rem,30%);height:auto;aspect-ratio:3/2;margin-inline-start:1.25rem;border-radius:calc(.35rem*var(--radius));background:var(--raised)}
${focus}
figcaption,caption{font-family:var(--ui);font-size:.85rem;color:var(--soft);text-align:start;padding-block:.5rem}
.absent-image{font-style:italic;color:var(--soft)}
blockquote{padding-inline-start:1.25em;border-inline-start:.2rem solid var(--accent);color:var(--soft);font-style:italic}
blockquote em,blockquote cite{font-style:normal}
blockquote>:last-child{margin-bottom:0}
hr{width:6rem;margin:2.5rem auto;border:0;border-top:1px solid var(--edge)}
code,kbd,samp,pre{font-family:var(--mono);font-size:.86em;font-variant-ligatures:none}
:not(pre)>code,kbd{padding:.12em .35em;background:var(--raised);border-radius:calc(.25rem*var(--radius))}
kbd{border:1px solid var(--line);border-bottom-width:2px}
pre{direction:ltr;text-align:left;padding:1.1em 1.25em;background:var(--raised);border:1px solid var(--line);border-radius:calc(.5rem*var(--radius));overflow-x:auto;line-height:1.55;tab-size:2}
pre code{font-size:1em}
.scroll{overflow-x:auto}
.scroll table{margin:0}
table{border-collapse:collapse;min-width:100%;overflow-wrap:normal;font-family:var(--ui);font-size:.88rem;line-height:1.45;font-variant-numeric:tabular-nums}
th,td{padding:.6em .9em;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{padding-inline-start:0}
thead th{border-bottom:2px solid var(--edge);white-space:nowrap}
.align-left{text-align:left}.align-center{text-align:center}.align-right{text-align:right}
mark{background:var(--notice);color:var(--on-notice);padding-inline:.15em}
small,sub,sup{font-size:.8em}
sub,sup{line-height:0}
summary{cursor:pointer;font-family:var(--ui);font-weight:600}
abbr[title]{text-decoration:underline dotted;text-underline-offset:.18em}

.facts{display:grid;grid-template-columns:max-content 1fr;gap:.5rem 1.5rem;padding-block:1rem;border-block:1px solid var(--line);font-family:var(--ui);font-size:.9rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0}
.corrections{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.9rem}
.corrections h2{font-size:1.1rem;margin:0 0 .5rem}
.retracted{margin:0 0 2rem;padding:1rem;border-inline-start:.3rem solid currentColor;background:var(--raised)}
.retracted p{margin:0}
.tags{display:flex;flex-wrap:wrap;gap:.5rem;margin:2.5rem 0 0;padding:0;list-style:none;font-family:var(--ui);font-size:.8rem}
.tags li{padding:.2em .8em;background:var(--raised);color:var(--soft);border-radius:2em}

.section+.section{margin-top:calc(clamp(2.5rem,7vw,5rem)*var(--unit))}
.section>h2{margin-top:0}
.section.column,.pull-quote{margin-inline:0}
.hero{padding-block:clamp(1rem,4vw,3rem)}
.hero h1,.hero h2{max-width:18em;margin:0 0 .45em}
.hero h1{font-size:calc(clamp(2.1rem,1.4rem + 3vw,3.25rem)*var(--scale))}
.hero h2{font-size:calc(clamp(1.75rem,1.3rem + 2vw,2.5rem)*var(--scale))}
.hero .lead{max-width:36em;font-size:1.3rem;margin:0}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.75rem 0 0;padding:0;list-style:none}
.button{display:inline-block;padding:.65em 1.3em;border:1px solid var(--accent);border-radius:calc(.4rem*var(--radius));font-family:var(--ui);font-size:.95rem;font-weight:600;text-decoration:none}
.button.first{background:var(--accent);color:var(--on-accent)}
.button:hover{text-decoration:underline}

.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:1.25rem;margin:0;padding:0;list-style:none}
.card{position:relative;padding:1.4rem 1.5rem;background:var(--raised);border:1px solid var(--line);border-radius:calc(.6rem*var(--radius))}
.card h2,.card h3{margin:0 0 .35em;font-size:1.1rem}
.card p{margin:0;color:var(--soft);font-size:.95rem;line-height:1.5}
.card a{color:inherit;text-decoration:none}
.card a::after{content:'';position:absolute;inset:0;border-radius:inherit}
.card:has(a:hover){border-color:var(--accent)}
.card a:hover{color:var(--accent)}

.entries{margin:0;padding:0;list-style:none}
.entries>li{display:flow-root;padding-block:1.5rem;border-top:1px solid var(--line)}
.entries>li:last-child{border-bottom:1px solid var(--line)}
.entries h2,.entries h3{margin:0 0 .3em;font-size:1.25rem;text-wrap:pretty}
.entries h2 a,.entries h3 a{color:inherit;text-decoration:none}
.entries h2 a:hover,.entries h3 a:hover{color:var(--accent);text-decoration:underline}
.entries p{margin:0;color:var(--soft)}
.entries .meta{margin-bottom:.4rem}
.pages{display:flex;justify-content:space-between;gap:1rem;margin-top:2rem;font-family:var(--ui);font-size:.95rem}
.related{margin-top:clamp(3rem,8vw,5rem)}
.related h2{font-size:1.15rem}

.comments{margin-top:clamp(3rem,8vw,5rem);border-top:1px solid var(--line)}
.comments h2{font-size:1.15rem}
.comments ol{margin:0;padding:0;list-style:none}
.comments li{padding-block:1.25rem 0}
.comments li ol{padding-inline-start:1.5rem;border-inline-start:.2rem solid var(--line)}
.comments .meta{margin-bottom:.3rem}
.comments p{margin-bottom:.7em}
.gone{color:var(--soft);font-style:italic}
form label{display:block;font-family:var(--ui);font-size:.9rem;font-weight:600;margin-bottom:.3rem}
form input,form textarea{width:100%;padding:.6em .8em;border:1px solid var(--edge);border-radius:calc(.4rem*var(--radius));background:var(--paper);color:var(--ink);font:inherit}
form button{cursor:pointer}
.trap{position:absolute;inset-inline-start:-100vw;width:1px;height:1px;overflow:hidden}
.problem{padding:.75rem 1rem;background:var(--notice);color:var(--on-notice);font-family:var(--ui);font-size:.95rem}

.pull-quote{margin-block:0;max-width:44rem;padding-inline-start:clamp(1.25rem,3vw,2rem);border-inline-start:.25rem solid var(--accent)}
.pull-quote blockquote{margin:0 0 .75rem;padding:0;border:0;color:var(--ink);font-size:clamp(1.3rem,1.1rem + 1.2vw,1.75rem);line-height:1.4;text-wrap:pretty}
.pull-quote figcaption{padding:0}
.pull-quote figcaption::before{content:'— '}
.call{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:1.25rem 2rem;padding:clamp(1.5rem,4vw,2.5rem);background:var(--raised);border:1px solid var(--line);border-radius:calc(.6rem*var(--radius))}
.call p{flex:1 1 18rem;margin:0;font-size:1.15rem;line-height:1.45}

.preview{padding:.75rem var(--gap);background:var(--notice);color:var(--on-notice);font-family:var(--ui);font-size:.85rem;line-height:1.5;text-align:center}
.preview strong{margin-inline-end:.5em}

@media(max-width:40rem){.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.6rem}.site-header nav:first-of-type,.site-header .locales{margin-inline-start:0}}
@media(forced-colors:active){.button,.card,.preview{border:1px solid}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#333}.site-header nav,.breadcrumbs,.skip,.actions,.pages,.related{display:none}body{font-size:11pt}a{color:inherit}pre,blockquote,table,figure{break-inside:avoid}}
`;

const rules = styles.trim().replaceAll('\n', '');

/** The style sheet of the theme in a design. It asks for nothing from anywhere. */
export function styleSheet(design: Design = designOf()): string {
  return tokens(design).replaceAll('\n', '') + rules;
}
