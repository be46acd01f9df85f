/** Importing the package registers the element. Charts become a separate chunk that loads on demand. */
import 'service-embed';
import './style.css';

const server = new URLSearchParams(location.search).get('server') ?? 'http://localhost:8080';
const embed = document.querySelector('service-embed');

if (embed !== null && URL.canParse(server)) embed.setAttribute('server', server.replace(/[?#].*$/s, ''));

document.querySelector('.views')?.addEventListener('change', (event) => {
  if (embed === null || !(event.target instanceof HTMLInputElement)) return;
  const view = event.target.value;
  embed.setAttribute('render', view === 'table' ? 'table' : 'chart');
  if (view !== 'table') embed.setAttribute('mode', view);
});
