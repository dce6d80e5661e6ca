import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from './i18n';
import { settings } from './settings.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/page.css';

// The page appears in its language at once.
await speak(settings.language);
mount(App, { target: document.getElementById('app')! });
