import { mount } from 'svelte';
import App from './app.svelte';
import '../../desk/desk.css';

const target = document.getElementById('app');
if (target !== null) mount(App, { target });
