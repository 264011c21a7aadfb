// Files that are dropped on an element, or chosen in a file field.

import { notice } from "../../core/notice.js";

/** The control API takes bodies up to this size. */
export const MOST_BYTES = 65_536;

/** @param onText called with the text and the name of the file; @param read reads a File */
export function acceptFiles(element, field, onText, read = (file) => file.text()) {
  const take = async (file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) return void notice(`${file.name} has ${file.size} bytes. The limit is ${MOST_BYTES}.`, "bad");
    onText(await read(file), file.name);
  };
  field.addEventListener("change", () => {
    take(field.files[0]);
    field.value = "";
  });
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  element.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    element.classList.add("dropping");
  });
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget)) element.classList.remove("dropping");
  });
  element.addEventListener("drop", (event) => {
    element.classList.remove("dropping");
    if (!hasFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
