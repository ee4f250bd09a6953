"use strict";
(() => {
  const form = document.getElementById("finder");
  const query = document.getElementById("query");
  const count = document.getElementById("count");
  const none = document.getElementById("none");
  const boxes = form ? [...form.querySelectorAll("input[type=checkbox]")] : [];
  const MOST_LINES = 100;  // of a source, that a search opens
  const items = form ? [...document.querySelectorAll("article")].map(itemOf) : [];

  // A tool; or a source, whose tools are its lines, and which is found by the text of one of them.
  function itemOf(article) {
    const facets = new Set(article.dataset.facets.split(" "));
    const lines = [...article.querySelectorAll(".names li")];
    const text = (lines.length ? article.querySelector("h2") : article).textContent.toLowerCase();
    return { article, facets, text, lines: lines.map((line) => ({ line, text: text + line.textContent.toLowerCase() })) };
  }

  // What is chosen, by facet: values of one facet are alternatives, facets narrow each other.
  function chosen() {
    const facets = new Map();
    for (const box of boxes) {
      if (box.checked) facets.set(box.name, [...(facets.get(box.name) || []), box.dataset.number]);
    }
    return [...facets];
  }

  function find() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const facets = chosen();
    const counts = new Map();
    let shown = 0;
    for (const item of items) {
      const has = (part) => words.every((word) => part.text.includes(word));
      const matches = has(item) || item.lines.some(has);
      const missed = facets.filter(([, numbers]) => !numbers.some((number) => item.facets.has(number)));
      const fits = matches && missed.length === 0;
      if (item.article.hidden === fits) item.article.hidden = !fits;
      shown += fits;
      if (fits && item.lines.length) {
        let found = 0;
        for (const part of item.lines) {
          const fitting = has(part);
          found += fitting;
          if (part.line.hidden === fitting) part.line.hidden = !fitting;
        }
        // To lay out thousands of lines takes longer than to find them.
        item.article.querySelector("details").open = words.length > 0 && found <= MOST_LINES;
      }
      // An option counts what choosing it would show, so the choices of its own facet do not.
      const open = !matches || missed.length > 1 ? "" : missed.length ? missed[0][0] : "*";
      if (open) for (const number of item.facets) counts.set(open + number, (counts.get(open + number) || 0) + 1);
    }
    for (const box of boxes) {
      const number = (counts.get("*" + box.dataset.number) || 0) + (counts.get(box.name + box.dataset.number) || 0);
      const label = box.parentElement.lastElementChild;
      if (label.textContent !== String(number)) label.textContent = number;
    }
    none.hidden = shown > 0;
    count.textContent = `${shown} of ${items.length} ${count.dataset.noun}`;
  }

  function remember() {
    const state = new URLSearchParams();
    if (query.value) state.set("q", query.value);
    for (const box of boxes) if (box.checked) state.append(box.name, box.value);
    const text = state.toString();
    history.replaceState(null, "", (text ? `?${text}` : location.pathname.split("/").pop()) + location.hash);
  }

  function recall() {
    const state = new URLSearchParams(location.search);
    query.value = state.get("q") || "";
    for (const box of boxes) {
      box.checked = state.getAll(box.name).includes(box.value);
      if (box.checked) box.closest("details").open = true;
    }
  }

  // An address takes longer to change than a page to be searched, and browsers count how often it does.
  let pending = 0;
  function update() {
    find();
    clearTimeout(pending);
    pending = setTimeout(remember, 200);
  }

  // A link to a tool opens it, whatever was searched for.
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.tagName !== "ARTICLE") return;
    if (target.hidden) form.reset();
    const details = target.querySelector("details");
    if (details) details.open = true;
    target.scrollIntoView();
  }

  function addCopyButton(block) {
    if (block.querySelector("button")) return;
    const text = block.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block);
        button.textContent = "Selected: copy with Ctrl+C";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    block.prepend(button);
  }

  if (form) {
    if (matchMedia("(max-width: 60rem)").matches) {  // the tools should be in sight
      for (const details of form.querySelectorAll("details")) details.open = false;
    }
    recall();
    form.hidden = false;
    document.body.className = "scripted";  // there are two columns
    find();
    form.addEventListener("input", update);
    form.addEventListener("reset", () => setTimeout(update));
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", follow);
    follow();
    addEventListener("keydown", (event) => {
      const typing = event.target.closest("input[type=search]");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        query.focus();
        query.select();
      } else if (event.key === "Escape" && typing && query.value) {
        query.value = "";
        update();
      }
    });
    document.addEventListener("toggle", (event) => {
      if (event.target.open) event.target.querySelectorAll("pre").forEach(addCopyButton);
    }, true);
  } else {
    document.querySelectorAll("pre").forEach(addCopyButton);
  }

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("main article:not([hidden]) details:not([open])")) {
      details.open = true;
      details.dataset.printed = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const details of document.querySelectorAll("[data-printed]")) {
      details.open = false;
      delete details.dataset.printed;
    }
  });
})();
