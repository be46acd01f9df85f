export { readXml } from './read-xml.ts';
export {
  elementsOf,
  firstOf,
  isElement,
  textOf,
  type XmlElement,
} from './xml-tree.ts';
