import { ServiceEmbed } from './element.ts';
import { register } from './register.ts';

register(ServiceEmbed);
