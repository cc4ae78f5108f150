# The help pages of R's packages as HTML, links between them relative:  Rscript r_html.R OUT [LIBRARY]
# Those of R itself, or all that are in a library.
asked <- commandArgs(TRUE)
out <- asked[1]
library <- if (length(asked) > 1) asked[2] else .Library
packages <- if (length(asked) > 1) list.files(library) else
    c("base", "compiler", "datasets", "graphics", "grDevices", "grid", "methods", "parallel",
      "splines", "stats", "stats4", "tcltk", "tools", "utils")
links <- unlist(lapply(packages, function(p) {
    topics <- readRDS(file.path(library, p, "help", "aliases.rds"))
    setNames(sprintf("../%s/%s.html", p, topics), names(topics))
}))
links <- links[!duplicated(names(links))]
for (p in packages) {
    dir.create(file.path(out, p), recursive = TRUE, showWarnings = FALSE)
    pages <- tools::Rd_db(p, lib.loc = library)
    for (name in names(pages))
        try(tools::Rd2HTML(pages[[name]], file.path(out, p, sub("Rd$", "html", name)),
                           package = p, Links = links), silent = TRUE)
}
