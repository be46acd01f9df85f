import { createApp } from 'vue';
import App from './app.vue';
import '../../desk/desk.css';

createApp(App).mount('#app');
