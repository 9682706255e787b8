"use strict";
// Keys, zoom, selects that submit, a page that follows a run. Every page also works without this file.
(() => {
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token"); // the cookie has it now; keep it out of the history and of copied addresses
    history.replaceState(null, "", address);
  }
  let main = document.getElementById("main");
  let chosen = -1;

  const rows = () => [...main.querySelectorAll(".list tr[data-href]")];
  const choose = (step) => {
    const all = rows();
    if (!all.length) return;
    chosen = Math.min(all.length - 1, Math.max(0, chosen + step));
    all.forEach((row, i) => row.classList.toggle("chosen", i === chosen));
    all[chosen].scrollIntoView({ block: "nearest" });
    all[chosen].querySelector("a")?.focus({ preventScroll: true });
  };
  const go = (target) => { if (target) location.assign(target); };
  const zoom = (how) => {
    for (const frame of main.querySelectorAll(".frame")) {
      const width = Number(frame.dataset.width) || frame.querySelector("img").naturalWidth;
      frame.classList.toggle("zoomed", how !== "fit");
      frame.style.width = how === "fit" ? "" : width * Number(how) + "px";
      frame.dataset.zoom = how;
    }
  };
  const nextZoom = () => {
    const steps = ["fit", "1", "2", "4"];
    zoom(steps[(steps.indexOf(main.querySelector(".frame")?.dataset.zoom || "fit") + 1) % steps.length]);
  };
  const decide = (state) => main.querySelector(`#adjudicate button[value="${state}"]`)?.click();
  const keys = {
    j: () => choose(1), k: () => choose(-1), n: () => go(main.dataset.next), p: () => go(main.dataset.previous),
    u: () => go(main.dataset.up), z: nextZoom, a: () => decide("correct"), r: () => decide("incorrect"),
    b: () => decide("broken"), c: () => main.querySelector("#adjudicate [name=reason]")?.focus(),
    "/": () => main.querySelector("input[type=search]")?.focus(), Enter: () => go(rows()[chosen]?.dataset.href),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest("a, button, summary, input")) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button?.tagName === "BUTTON") return zoom(button.dataset.zoom);
    const row = event.target.closest("tr[data-href]");
    if (row && !event.target.closest("a, input, button, label") && !String(getSelection())) go(row.dataset.href);
  });
  document.addEventListener("dblclick", (event) => { if (event.target.closest(".frame")) nextZoom(); });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });
  const follow = async () => {
    if (!main.dataset.live || document.hidden || main.contains(document.activeElement?.closest("input, select"))) return;
    if (main.querySelector("input:checked")) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
      if (!fresh) return;
      main.replaceWith(document.adoptNode(fresh));
      main = fresh;
      rows()[chosen]?.classList.add("chosen");
    } catch { /* the viewer was stopped; the page stays as it is */ }
  };
  setInterval(follow, 3000);
})();
