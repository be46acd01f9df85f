export { readXml } from './read-xml.ts';
export {
  elementsOf,
  firstOf,
  isElement,
  readElementText,
  type XmlElement,
} from './xml-tree.ts';
