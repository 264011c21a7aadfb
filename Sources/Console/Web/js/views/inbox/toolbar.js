// The line above the list: how many pushes there are, and what can be done to all of them or to the selected ones.

import { h } from "../../core/dom.js";
import { count, plural } from "../../core/format.js";

/** `on` has what the buttons do: `newest`, `readAll`, `deleteAll`, `read`, `delete`, `clear`, `clearFilters`. */
export class Toolbar {
  constructor(on) {
    const button = (label, action, kind = "quiet") => h("button", { type: "button", class: kind, on: { click: action } }, label);
    this.text = h("span", { class: "grow" });
    this.newest = button("", on.newest, "primary");
    this.none = button("Clear the filters", on.clearFilters);
    this.all = [button("Mark all read", on.readAll), button("Delete all…", on.deleteAll)];
    this.some = [button("Mark read", on.read), button("Delete", on.delete, "quiet danger"), button("Clear selection", on.clear)];
    this.element = h("div", { class: "info" }, this.text, this.newest, this.none, this.all, this.some);
  }

  /** @param unseen how many have come above what is shown; `unread` and `selected` are numbers, too */
  show({ total, hasMore, unseen, unread, selected, isFiltered }) {
    this.text.textContent = selected > 0 ? `${count(selected)} selected`
      : total === 0 ? (isFiltered ? "No push matches." : "No pushes")
      : `${count(total)}${hasMore ? "+" : ""} ${total === 1 ? "push" : "pushes"}${unread > 0 ? `, ${count(unread)} unread` : ""}`;
    this.newest.textContent = plural(unseen, "new push", "new pushes");
    this.none.hidden = total > 0 || !isFiltered;
    this.newest.hidden = unseen === 0;
    for (const button of this.some) button.hidden = selected === 0;
    this.all[0].hidden = selected > 0 || unread === 0;
    this.all[1].hidden = selected > 0 || total === 0;
  }
}
