// Prints which file names types of which other file, by the compiler of the JDK: FILE<tab>FILE.
//
//     java Mentions.java ROOT FILE...
//
// What cannot be found outside of the files is left out, and no reason to stop.

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public class Mentions {
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        List<File> files = new ArrayList<>();
        for (String line : java.nio.file.Files.readAllLines(Path.of(arguments[1]))) {
            files.add(root.resolve(line).toFile());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        List<String> options = List.of("-proc:none", "-Xlint:none", "-encoding", "UTF-8", "-Xmaxerrs", "1");
        JavacTask task = (JavacTask)
            compiler.getTask(null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        Trees trees = Trees.instance(task);
        TreeSet<String> rows = new TreeSet<>();
        for (CompilationUnitTree unit : units) {
            String from = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
            new TreePathScanner<Void, Void>() {
                private void note(Tree tree) {
                    Element element = trees.getElement(getCurrentPath());
                    if (element instanceof TypeElement) {
                        TreePath place = trees.getPath(element);
                        if (place != null) {
                            Path file = Path.of(place.getCompilationUnit().getSourceFile().toUri());
                            String to = root.relativize(file).toString();
                            if (!to.equals(from)) {
                                rows.add(from + "\t" + to);
                            }
                        }
                    }
                }

                @Override
                public Void visitIdentifier(IdentifierTree node, Void unused) {
                    note(node);
                    return super.visitIdentifier(node, unused);
                }

                @Override
                public Void visitMemberSelect(MemberSelectTree node, Void unused) {
                    note(node);
                    return super.visitMemberSelect(node, unused);
                }
            }.scan(unit, null);
        }
        rows.forEach(System.out::println);
    }
}
