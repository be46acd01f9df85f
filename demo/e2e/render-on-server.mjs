/** Renders the components for React and Vue on a server, and prints what each writes. */
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { ServiceEmbed as ReactEmbed } from 'service-embed/react';
import { ServiceEmbed as VueEmbed } from 'service-embed/vue';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';

const properties = { server: 'https://analytics.example.com', path: 'shared/a.service', filter: { a: ['b'] } };
console.log(renderReact(createElement(ReactEmbed, { ...properties, className: 'wide' })));
console.log(await renderVue(createSSRApp({ render: () => h(VueEmbed, { ...properties, class: 'wide' }) })));
