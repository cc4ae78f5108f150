# Completion of related for fish: related completion fish | source
function __related_complete
    set -l line (commandline -cp)
    set -l found (related completion --line "$line" 2> /dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $found
    end
end
complete --command related --no-files --keep-order --arguments '(__related_complete)'
